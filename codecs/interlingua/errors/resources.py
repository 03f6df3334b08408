"""Errors of files, images and MCP resources."""

from __future__ import annotations

from interlingua.errors.base import InterlinguaError

__all__ = ["FileAccessError", "ImageError", "MissingExtraError", "ResourceError"]


def how_to_install(extra: str) -> str:
    """Return the instructions for installing an extra."""
    return f"install it with: pip install 'interlingua[{extra}]', or in a clone: pip install '.[{extra}]'"


class MissingExtraError(InterlinguaError, ImportError):
    """An optional dependency is not installed: `extra` names the extra that installs it, `package` the package.

    Example:
        >>> print(il.MissingExtraError("ocr", "tesserocr"))
        tesserocr is missing; install it with: pip install 'interlingua[ocr]', or in a clone: pip install '.[ocr]'
    """

    def __init__(self, extra: str, package: str) -> None:
        self.extra = extra
        self.package = package
        super().__init__(f"{package} is missing; {how_to_install(extra)}", name=package)


class ResourceError(InterlinguaError):
    """An MCP resource could not be fetched.

    `code` says why: `unknown_server` (no server of that name), `unreachable` (no connection, or it was lost or closed),
    `timeout`, `refused` (the server answered with an error), `empty` (the answer was empty), `several` (the answer had
    several contents that cannot be joined to one text), `too_large`, `bad_content` (the answer was not a resource).
    `retryable` says whether trying again may help. The message repeats neither the URI nor the server's error, since
    both may hold secrets.

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
    """An image cannot be fetched or read: `code` says why, `retryable` whether trying again may help.

    `message` is for people. The codes are listed in `interlingua.resolve.IMAGE_FAILURES`; for an image in a file, those
    of `FileAccessError` occur, too.

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
    """A referenced file was not read: `code` says why, one of `interlingua.resolve.FILE_CODES`.

    `path` is the reference as it was given. `reason` is for people; it repeats neither the path, which may hold
    terminal control characters, nor the file's content. `retryable` says whether trying again may help.

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
