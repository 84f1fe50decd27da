import { ObjectReader } from './object-reader.ts'
import { readLoose } from './loose-object.ts'
import { type MadeObject, type ObjectKind, ObjectWriter } from './objects.ts'
import { inParallel } from './parallel.ts'
import { idBytes } from './repository.ts'
import { type ShadowDir, shadowPlace } from './shadow-dir.ts'
import { formatTree, parseTree, type Tree, type TreeStore } from './tree.ts'

const atOnce = 16

/** All objects of a shadow; a process that reads them is started only for those that are packed, or large. */
export class ObjectStore implements TreeStore {
  readonly writer: ObjectWriter
  readonly #idBytes: number
  readonly #shadow: ShadowDir
  readonly #later: MadeObject[] = []
  #reader: ObjectReader | null = null

  constructor(shadow: ShadowDir) {
    this.writer = new ObjectWriter(shadow)
    this.#idBytes = idBytes(shadow.format)
    this.#shadow = shadow
  }

  async read(id: string, kind: ObjectKind): Promise<Buffer> {
    return (await readLoose(this.#shadow.objects, id, kind)) ?? this.#started().read(id, kind)
  }

  /** The content of a file; null if it was large and has been handed out piece by piece instead. */
  fetch(id: string, takeLarge: (part: Buffer) => Promise<void>): Promise<Buffer | null> {
    return this.#started().fetch(id, 'blob', takeLarge)
  }

  async readTree(id: string): Promise<Tree> {
    return parseTree(await this.read(id, 'tree'), this.#idBytes)
  }

  async writeTree(tree: Tree): Promise<string> {
    return this.writeLater('tree', formatTree(tree))
  }

  /** Many are made of one another's names, so they need not be written one after the other: all are there once this is settled. */
  writeLater(kind: ObjectKind, data: Buffer): string {
    const made = this.writer.make(kind, data)
    this.#later.push(made)
    return made.id
  }

  settle(): Promise<void> {
    return inParallel(this.#later.splice(0), atOnce, (made) => this.writer.writeMade(made))
  }

  async close(): Promise<void> {
    await this.#reader?.close()
  }

  #started(): ObjectReader {
    this.#reader ??= new ObjectReader(shadowPlace(this.#shadow))
    return this.#reader
  }
}
