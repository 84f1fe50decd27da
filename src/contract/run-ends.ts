/** Why a run ends, and the exit code that stands for it. Those below 10 mean what they mean everywhere. */
export const runEnds = {
  done: 0,
  failed: 1,
  turn_limit: 10,
  budget: 11,
  no_progress: 12,
  stopped: 13,
  interrupted: 130,
} as const
