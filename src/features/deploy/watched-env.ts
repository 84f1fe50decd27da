/** An environment that remembers which variables were read, so that only these are stored, and no secret. */
export const watchEnv = (env: NodeJS.ProcessEnv): { env: NodeJS.ProcessEnv; used(): Record<string, string | null> } => {
  const used: Record<string, string | null> = {}
  const watched = new Proxy(env, {
    get: (target, name) => {
      if (typeof name !== 'string') return undefined
      used[name] = target[name] ?? null
      return target[name]
    },
    // A copy of the whole would count every variable as read.
    ownKeys: () => [],
  })
  return { env: watched, used: () => used }
}
