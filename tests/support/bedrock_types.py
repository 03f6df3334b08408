"""Bodies of Bedrock Converse, validated by the service model that botocore ships: it has no classes."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final

from botocore.loaders import Loader  # type: ignore[import-untyped]  # it ships no types
from botocore.model import ServiceModel  # type: ignore[import-untyped]  # it ships no types
from botocore.validate import ParamValidator  # type: ignore[import-untyped]  # it ships no types
from pydantic import AfterValidator

_SERVICE: Final = "bedrock-runtime"


@cache
def _model() -> Any:
    loader: Any = Loader()
    return ServiceModel(loader.load_service_model(_SERVICE, "service-2"), _SERVICE)


def refusal(body: Any, shape: str) -> str:
    """Return why the service model refuses a body; empty if it accepts it."""
    validator: Any = ParamValidator()
    report = validator.validate(body, _model().shape_for(shape))
    return str(report.generate_report())


def _judged(shape: str) -> Any:
    def judge(body: dict[str, Any]) -> dict[str, Any]:
        if refusal(body, shape):
            raise ValueError(refusal(body, shape))
        return body

    return AfterValidator(judge)


BedrockRequest: Final = Annotated[dict[str, Any], _judged("ConverseRequest")]
BedrockResponse: Final = Annotated[dict[str, Any], _judged("ConverseResponse")]
BedrockFrame: Final = Annotated[dict[str, Any], _judged("ConverseStreamOutput")]
