/** Users of clai have the other variable set. */
const variables = ['REIN_EPHEMERAL', 'CLAI_EPHEMERAL'] as const

/** Whether nothing is remembered of a shell, or an agent, with these variables; set and not 0, as shells understand it. */
export const saysEphemeral = (env: Readonly<Record<string, string | undefined>>): boolean => {
  const set = variables.find((name) => env[name] !== undefined)
  return set !== undefined && !['', '0'].includes(env[set] ?? '')
}

/** For a process of which nothing is to be remembered, nor of what it starts. */
export const ephemeralEnv = { REIN_EPHEMERAL: '1' } as const
