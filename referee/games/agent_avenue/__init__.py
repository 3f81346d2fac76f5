"""Agent Avenue: two spies on a loop of houses. The rulings AA-xx are in docs/rulings/agent_avenue.md."""
