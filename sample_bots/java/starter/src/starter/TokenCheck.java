package starter;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/** Refuses everybody but the referee, because any user of this machine can call a TCP port. */
final class TokenCheck implements ServerInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final String token;

  /**
   * @param token the token that a caller must send, or null if a caller needs none; if it is empty, nobody may call
   */
  TokenCheck(String token) {
    this.token = token;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String given = headers.get(AUTHORIZATION);
    if (token == null || (!token.isEmpty() && ("Bearer " + token).equals(given))) {
      return next.startCall(call, headers);
    }
    call.close(
        Status.UNAUTHENTICATED.withDescription("the token is wrong or missing"), new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
