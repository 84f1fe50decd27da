/** An environment that remembers what was looked up: that, and no secret beside it, is kept for the next time. */
export const watchEnv = (env: NodeJS.ProcessEnv): { env: NodeJS.ProcessEnv; used(): Record<string, string | null> } => {
  const used: Record<string, string | null> = {}
  const watched = new Proxy(env, {
    get: (target, name) => {
      if (typeof name !== 'string') return undefined
      used[name] = target[name] ?? null
      return target[name]
    },
    // It cannot be copied as a whole: then everything would count as looked up.
    ownKeys: () => [],
  })
  return { env: watched, used: () => used }
}
