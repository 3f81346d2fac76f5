"""A clock that stands still, for leagues that never wait for a bot."""


class NoTime:
    def now_ms(self) -> int:
        return 0

    def wait_ms(self, milliseconds: int) -> None:
        raise AssertionError(f"nobody is to be waited for, but {milliseconds} ms were asked for")
