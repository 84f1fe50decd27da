/** Rein's MCP tools that need no permission: they reach only Rein, and what it keeps for the agent and its team. */
export const freeTools = [
  'read_inbox',
  'ack_directive',
  'chat_read',
  'chat_send',
  'bus_read',
  'bus_ack',
  'bus_publish',
  'tell_lead',
  'take_lease',
  'renew_lease',
  'release_lease',
  'list_leases',
  'suggest_command',
  'project_commands',
  'explain_failure',
  'propose_note',
] as const
