import { createHash } from 'node:crypto'

/** Handles have up to 64 characters and rooms up to 32, all of them lower case. */
const [longestHandle, longestRoom] = [64, 32]

/** The agent that splits the task and hears of blockers. */
export const leadHandle = (task: string): string => handleOf(task, 'lead')

/** The others, from 1 on. */
export const memberHandle = (task: string, n: number): string => handleOf(task, String(n))

/** Where the task's agents talk. */
export const roomOf = (task: string): string => fitting(task, longestRoom)

/** A work tree of the task, or of its nth agent: how its directory and its branch are called. */
export const treeName = (task: string, n: number | null): string => (n === null ? task : `${task}-${n}`)
export const isTreeOf = (task: string, tree: string): boolean =>
  tree === task || (tree.startsWith(`${task}-`) && /^-\d+$/.test(tree.slice(task.length)))
export const branchOf = (tree: string): string => `rein/${tree}`

/** Whether two tasks would have a work tree or a handle of the same name: `api-1` is a task, or the first agent of `api`. */
export const isMixedUp = (one: string, other: string): boolean => {
  const [short, long] = [one, other].map((name) => name.toLowerCase()).toSorted((a, b) => a.length - b.length)
  return (
    long !== undefined &&
    short !== undefined &&
    long.startsWith(`${short}-`) &&
    /^-(\d+|lead)$/.test(long.slice(short.length))
  )
}

const handleOf = (task: string, end: string): string => `${fitting(task, longestHandle - end.length - 1)}-${end}`

/** Shortened names stay distinct from others with the same beginning. */
const fitting = (task: string, longest: number): string => {
  const name = task.toLowerCase()
  if (name.length <= longest) return name
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 6)
  return `${name.slice(0, longest - mark.length - 1)}-${mark}`
}
