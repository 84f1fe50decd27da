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

/** Why nobody goes back in a conversation of a version that is older than any that was tried. */
export const cutUntried = (title: string, version: string, minVersion: string): string =>
  `${title} ${version} is older than ${minVersion}, the oldest that was tried: whether it goes on exactly from a turn is not known.`

/** Why a version older than any that was tried can do nothing that depends on hooks, nor the `others`. */
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
