/** Ends a process that may have ended since it was found. */
export const endProcess = (pid: number): void => {
  try {
    killProcess(pid)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause
  }
}

/** Ends a process. A pid that there is not is an error: signal 0 or -1 would reach this test's own group, or everything. */
export const killProcess = (pid: number | null | undefined, signal: NodeJS.Signals = 'SIGKILL'): void => {
  if (typeof pid !== 'number' || !(pid > 1)) throw new Error(`There is no process ${pid} to kill.`)
  process.kill(pid, signal)
}
