import { showTask } from './shown.ts'

export const run = showTask(({ connect, cwd }, { force }: { force?: boolean }, name) =>
  connect().stopTask({ cwd: cwd(), name, force }),
)
