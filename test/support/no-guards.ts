import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The variable that names a guard file as a daemon without guards leaves it: where there is none, every call is denied. */
export const writeNoGuards = async (root: string): Promise<{ REIN_GUARDS: string }> => {
  const path = join(root, 'guards')
  await writeFile(path, 'end\n')
  return { REIN_GUARDS: path }
}
