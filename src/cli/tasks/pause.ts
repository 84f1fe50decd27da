import { showTask } from './shown.ts'

export const run = showTask(({ connect, cwd }, { now }: { now?: boolean }, name) =>
  connect().pauseTask({ cwd: cwd(), name, now }),
)
