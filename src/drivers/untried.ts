import type { Capability } from './contract.ts'

const byHooks: readonly Capability[] = [
  'beforeTool',
  'afterTool',
  'onPrompt',
  'onStart',
  'onStop',
  'deny',
  'ask',
  'rewrite',
  'writesContext',
]

/** Why conversations of a version older than any tried one cannot be cut. */
export const cutUntried = (title: string, version: string, minVersion: string): string =>
  `${title} ${version} is older than ${minVersion}, the oldest that was tried: whether it goes on exactly from a turn is not known.`

/** Why a version older than any tried one has nothing that depends on hooks, nor the `others`. */
export const untried = (
  title: string,
  version: string,
  minVersion: string,
  ...others: Capability[]
): Partial<Record<Capability, string>> => {
  const why = `${title} ${version} is older than ${minVersion}, the oldest that was tried: its hooks are not relied on.`
  return {
    ...Object.fromEntries([...byHooks, ...others].map((name) => [name, why])),
    cut: cutUntried(title, version, minVersion),
  }
}
