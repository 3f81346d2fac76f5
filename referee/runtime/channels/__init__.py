"""How a bot is called: gRPC over a connection. The rest of the program sees only a `Channel`.

A bot on this machine that listens on a unix socket is called by our own client (`light`), which costs half as much a
decision. All others are called by grpc.aio (`library`), which does TLS. Who is in this process is not called at all.
"""

from referee.runtime.channels.channel import Channel
from referee.runtime.channels.http2_channel import Http2Channel, is_light
from referee.runtime.peer import Peer


def channel_to(peer: Peer) -> Channel:
    """A channel to a bot. Nothing is called yet."""
    if peer.door is not None:
        return peer.door()
    if is_light(peer):
        return Http2Channel(peer)
    # Only here: it takes a tenth of a second, and most workers need none.
    from referee.runtime.channels.grpc_channel import GrpcChannel  # noqa: PLC0415

    return GrpcChannel(peer)
