import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { ObjectKind } from './objects.ts'

const unsqueeze = promisify<Buffer, Buffer>(inflate)

/** An object in a file of its own; null if there is none, or it is damaged. */
export const readLoose = async (objects: string, id: string, kind: ObjectKind): Promise<Buffer | null> => {
  try {
    const object = await unsqueeze(await readFile(path.join(objects, id.slice(0, 2), id.slice(2))))
    const end = object.indexOf(0)
    const content = object.subarray(end + 1)
    return object.toString('latin1', 0, end) === `${kind} ${content.length}` ? content : null
  } catch {
    return null
  }
}
