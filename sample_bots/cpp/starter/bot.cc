// The loop: serves a player to the referee. The thinking is in player.cc. The name is in bot.toml.
//
// Usage: bot [--rule fnv|greedy] [ADDRESS]
//
// ADDRESS is unix:/path/to/socket or 127.0.0.1:PORT. Without it, the bot listens at the address in
// the variable REFEREE_ADDRESS. The bot does not handle SIGTERM, so it ends the process at once.
#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "player.h"
#include "referee_bot/v1/bot.grpc.pb.h"

namespace pb = referee_bot::v1;

namespace {

constexpr int kProtocolMinor = 2;
constexpr int kMaxBatch = 1024;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// The strings in double quotes after `key =` in bot.toml, from one string or a list.
std::vector<std::string> Manifest(const std::string& key) {
  std::ifstream file("bot.toml");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::regex entry("(?:^|\n)" + key + "\\s*=\\s*(\"[^\"]*\"|\\[[^\\]]*\\])");
  const std::regex quoted("\"([^\"]*)\"");
  std::smatch found;
  std::regex_search(text, found, entry);
  const std::string value = found.str(1);
  return {std::sregex_token_iterator(value.begin(), value.end(), quoted, 1), {}};
}

class BotService final : public pb::Bot::Service {
 public:
  BotService(Rule rule, const std::string& token)
      : rule_(rule), authorization_(token.empty() ? "" : "Bearer " + token) {}

  grpc::Status Describe(grpc::ServerContext* context, const pb::DescribeRequest*,
                        pb::DescribeResponse* response) override {
    if (!Admits(*context)) return kRefused;
    for (const std::string& name : Manifest("name")) response->set_name(name);
    for (const std::string& version : Manifest("version")) response->set_version(version);
    for (const std::string& game : Manifest("games")) response->add_games(game);
    response->set_protocol_minor(kProtocolMinor);
    response->set_max_parallel(1);
    response->set_max_batch(kMaxBatch);
    return grpc::Status::OK;
  }

  // Plays match after match, each with a new player, until the referee closes its side. Because of
  // noexcept, an exception ends the process with a message on stderr. gRPC would swallow it.
  grpc::Status Play(
      grpc::ServerContext* context,
      grpc::ServerReaderWriter<pb::BotMessage, pb::RefereeMessage>* stream) noexcept override {
    if (!Admits(*context)) return kRefused;
    std::optional<Player> player;
    Players players;
    for (pb::RefereeMessage message; stream->Read(&message);) {
      pb::BotMessage answer;
      if (message.has_match_start()) {
        player.emplace(message.match_start(), rule_);
        answer.mutable_ready();
      } else if (message.has_decision()) {
        answer.mutable_choice()->set_decision(message.decision().number());
        answer.mutable_choice()->set_index(player.value().Choose(message.decision()));
      } else if (message.has_batch()) {
        *answer.mutable_answers() = AnswersTo(message.batch(), players);
        if (answer.answers().match().empty() && answer.answers().ready().empty()) continue;
      } else {
        continue;  // nobody answers a MatchEnd
      }
      stream->Write(answer);
    }
    return grpc::Status::OK;
  }

 private:
  // The players of a batch, by the numbers of their matches, as long as these last.
  using Players = std::unordered_map<std::uint32_t, Player>;

  // The answers to a batch. They are empty if it has nothing but ends.
  pb::Answers AnswersTo(const pb::Batch& batch, Players& players) const {
    pb::Answers answers;
    for (const pb::Part& part : batch.parts()) {
      if (part.has_match_start()) {
        players.emplace(part.match(), Player(part.match_start(), rule_));
        answers.add_ready(part.match());
      } else if (part.has_decision()) {
        answers.add_match(part.match());
        answers.add_decision(part.decision().number());
        answers.add_index(players.at(part.match()).Choose(part.decision()));
      } else {
        players.erase(part.match());
      }
    }
    return answers;
  }

  // Whether the caller has our token. If we have no token, everybody may call.
  bool Admits(const grpc::ServerContext& context) const {
    if (authorization_.empty()) return true;
    const auto& metadata = context.client_metadata();
    const auto found = metadata.find("authorization");
    return found != metadata.end() && found->second == authorization_;
  }

  const grpc::Status kRefused{grpc::StatusCode::UNAUTHENTICATED, "wrong token, or none"};
  const Rule rule_;
  const std::string authorization_;
};

std::optional<Rule> RuleNamed(std::string_view name) {
  if (name == "fnv") return Rule::kFnv;
  if (name == "greedy") return Rule::kGreedy;
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<Rule> rule = Rule::kFnv;
  std::string address = Variable("REFEREE_ADDRESS");
  for (int i = 1; i < argc; ++i) {
    if (argv[i] == std::string_view("--rule") && i + 1 < argc) {
      rule = RuleNamed(argv[++i]);
    } else if (argv[i][0] == '-') {
      rule.reset();
    } else {
      address = argv[i];
    }
  }
  if (!rule || address.empty()) {
    std::cerr << "usage: bot [--rule fnv|greedy] [ADDRESS], or ADDRESS in REFEREE_ADDRESS\n";
    return 2;
  }

  const std::string token = Variable("REFEREE_TOKEN");
  if (token.empty() && std::getenv("REFEREE_TOKEN")) {
    std::cerr << "REFEREE_TOKEN is empty\n";
    return 1;
  }
  BotService service(*rule, token);
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials());
  // Without this, a second bot on the same port would share the port instead of failing.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) {
    std::cerr << "cannot listen on " << address << "\n";
    return 1;
  }
  server->Wait();
}
