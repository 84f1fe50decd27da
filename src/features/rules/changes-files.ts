import type { ShellReading } from '../../base/shell/reading.ts'

/** Files of the system's own, and what is thrown away, are no work. */
const noWork = /^\/(?:dev|proc|sys|tmp)\//

/** Whether a command changes files of the project, as far as that can be told. */
export const changesFiles = ({ runs }: ShellReading): boolean =>
  runs.some(({ writes, deletes }) => [...writes, ...deletes].some((file) => file !== null && !noWork.test(file)))
