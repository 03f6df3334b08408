"""Resolves what a message refers to before a model sees it: files, images, and resources of MCP servers.

Each name is imported on first use, so that nothing is loaded, and no extra is needed, that is not used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.lazy_imports import lazy_getattr

if TYPE_CHECKING:
    from interlingua.resolve.codec_vision import CodecVision
    from interlingua.resolve.fetching import SafeFetcher
    from interlingua.resolve.file_codes import FILE_CODES, FileCode, FileRefusal
    from interlingua.resolve.file_policy import READING_ROLES, FileAction, FilePolicy, RolePolicy
    from interlingua.resolve.files import MAX_FILE_BYTES, FileResolver
    from interlingua.resolve.image_failures import IMAGE_FAILURES, ImageFailureCode
    from interlingua.resolve.image_limits import ImageLimits
    from interlingua.resolve.images import ImageNotice, ImageResolver
    from interlingua.resolve.mcp import McpResources, ResourceLimits, Summarizer, touch_resource
    from interlingua.resolve.mcp_freshness import Freshness, ResourceCache
    from interlingua.resolve.mcp_results import tool_result_from_mcp, tool_result_to_mcp
    from interlingua.resolve.mentions import find_mentions
    from interlingua.resolve.picture import (
        FileBytes,
        OcrEngine,
        OcrResult,
        Picture,
        UrlFetcher,
        VisionModel,
        VisionResult,
    )
    from interlingua.resolve.picture_check import check_pictures, stub_picture
    from interlingua.resolve.tesseract import TesseractOcr

_HOMES: Final[dict[str, str]] = {
    "FILE_CODES": "file_codes",
    "IMAGE_FAILURES": "image_failures",
    "MAX_FILE_BYTES": "files",
    "READING_ROLES": "file_policy",
    "CodecVision": "codec_vision",
    "FileAction": "file_policy",
    "FileBytes": "picture",
    "FileCode": "file_codes",
    "FilePolicy": "file_policy",
    "FileRefusal": "file_codes",
    "FileResolver": "files",
    "Freshness": "mcp_freshness",
    "ImageFailureCode": "image_failures",
    "ImageLimits": "image_limits",
    "ImageNotice": "images",
    "ImageResolver": "images",
    "McpResources": "mcp",
    "OcrEngine": "picture",
    "OcrResult": "picture",
    "Picture": "picture",
    "ResourceCache": "mcp_freshness",
    "ResourceLimits": "mcp",
    "RolePolicy": "file_policy",
    "SafeFetcher": "fetching",
    "Summarizer": "mcp",
    "TesseractOcr": "tesseract",
    "UrlFetcher": "picture",
    "VisionModel": "picture",
    "VisionResult": "picture",
    "check_pictures": "picture_check",
    "find_mentions": "mentions",
    "stub_picture": "picture_check",
    "tool_result_from_mcp": "mcp_results",
    "tool_result_to_mcp": "mcp_results",
    "touch_resource": "mcp",
}

__all__ = [
    "FILE_CODES",
    "IMAGE_FAILURES",
    "MAX_FILE_BYTES",
    "READING_ROLES",
    "CodecVision",
    "FileAction",
    "FileBytes",
    "FileCode",
    "FilePolicy",
    "FileRefusal",
    "FileResolver",
    "Freshness",
    "ImageFailureCode",
    "ImageLimits",
    "ImageNotice",
    "ImageResolver",
    "McpResources",
    "OcrEngine",
    "OcrResult",
    "Picture",
    "ResourceCache",
    "ResourceLimits",
    "RolePolicy",
    "SafeFetcher",
    "Summarizer",
    "TesseractOcr",
    "UrlFetcher",
    "VisionModel",
    "VisionResult",
    "check_pictures",
    "find_mentions",
    "stub_picture",
    "tool_result_from_mcp",
    "tool_result_to_mcp",
    "touch_resource",
]


__getattr__ = lazy_getattr(__name__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
