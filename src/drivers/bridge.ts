/** What a bridge needs of its agent's environment: many CLIs give a server only what is named. */
export const bridgeVariables = ['REIN_SOCKET', 'REIN_AGENT', 'REIN_TOKEN'] as const

/** Each variable with a reference to its value in the CLI's own syntax, so that no file or argument contains the value. */
export const bridgeEnv = (refer: (name: string) => string): Record<string, string> =>
  Object.fromEntries(bridgeVariables.map((name) => [name, refer(name)]))
