/** What a bridge needs of its agent's environment: many CLIs give a server only what is named. */
export const bridgeVariables = ['REIN_SOCKET', 'REIN_AGENT', 'REIN_TOKEN'] as const

/** Each of them with a reference to its value, in the words of a CLI: no value stands in a file or an argument. */
export const bridgeEnv = (refer: (name: string) => string): Record<string, string> =>
  Object.fromEntries(bridgeVariables.map((name) => [name, refer(name)]))
