import { showTask } from './shown.ts'

export const run = showTask(({ connect, cwd }, _: object, name) => connect().unpauseTask({ cwd: cwd(), name }))
