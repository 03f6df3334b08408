"""Why a file, a picture or a resource cannot be had."""

from __future__ import annotations

from interlingua.errors.base import InterlinguaError

__all__ = ["FileAccessError", "ImageError", "MissingExtraError", "ResourceError"]


def how_to_install(extra: str) -> str:
    """Return the words for people who lack what an extra installs."""
    return f"install it with: pip install 'interlingua[{extra}]', or in a clone: pip install '.[{extra}]'"


class MissingExtraError(InterlinguaError, ImportError):
    """A package that is installed with an extra is not there: `extra` names the extra, `package` the package.

    Example:
        >>> print(il.MissingExtraError("ocr", "tesserocr"))
        tesserocr is missing; install it with: pip install 'interlingua[ocr]', or in a clone: pip install '.[ocr]'
    """

    def __init__(self, extra: str, package: str) -> None:
        self.extra = extra
        self.package = package
        super().__init__(f"{package} is missing; {how_to_install(extra)}", name=package)


class ResourceError(InterlinguaError):
    """A resource of an MCP server could not be had.

    `code` says why: `unknown_server` (no server of that name), `unreachable` (no connection, it broke, or
    all was closed),
    `timeout`, `refused` (the server answered with an error), `empty` (it answered with nothing), `several` (it answered
    with several contents that make no one text), `too_large`, `bad_content` (what came is no resource). `retryable`
    tells whether trying again may help. Neither the address of the resource nor the server's words are repeated: both
    may hold secrets.

    Example:
        >>> try:
        ...     il.McpResources({}).get("docs", "docs://api")
        ... except il.ResourceError as error:
        ...     print(error.code, error.server_name, error.retryable)
        unknown_server docs False
    """

    def __init__(self, code: str, server_name: str, *, retryable: bool = False) -> None:
        self.code = code
        self.server_name = server_name
        self.retryable = retryable
        super().__init__(f"a resource of the server {server_name!r} could not be read: {code}")


class ImageError(InterlinguaError, ValueError):
    """A picture cannot be had or cannot be read: `code` says why, `retryable` whether trying again may help.

    `message` is for people. The codes are listed in `interlingua.resolve.IMAGE_FAILURES`; of a picture in a file, those
    of `FileAccessError` too.

    Example:
        >>> try:
        ...     il.SafeFetcher().fetch("http://127.0.0.1/sign.png", max_bytes=1_000)
        ... except il.ImageError as error:
        ...     print(error.code, error.retryable)
        url_refused False
    """

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        self.code = code
        self.message = message
        self.retryable = retryable
        super().__init__(f"{code}: {message}")


class FileAccessError(InterlinguaError, ValueError):
    """A file that is referred to is not read: `code` says why, one of `interlingua.resolve.FILE_CODES`.

    `path` is the reference as it was given. `reason` is the hint for people; it repeats neither the path, which may
    hold what a terminal obeys, nor anything of the file. `retryable` tells whether trying again may help.

    Example:
        >>> try:
        ...     il.FileResolver(".").read("missing.txt", agent_role="planner")
        ... except il.FileAccessError as error:
        ...     print(error.code, error.path)
        not_found missing.txt
    """

    def __init__(self, code: str, path: str, reason: str, *, retryable: bool = False) -> None:
        self.code = code
        self.path = path
        self.reason = reason
        self.retryable = retryable
        super().__init__(f"{code}: {reason}")
