import { ObjectReader } from './object-reader.ts'
import { readLoose } from './loose-object.ts'
import { type MadeObject, type ObjectKind, ObjectWriter } from './objects.ts'
import { inParallel } from './parallel.ts'
import { idBytes } from './repository.ts'
import { type ShadowDir, shadowPlace } from './shadow-dir.ts'
import { formatTree, parseTree, type Tree, type TreeStore } from './tree.ts'

const atOnce = 16

/** All objects of a shadow; a git process is started only to read packed or large ones. */
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

  /** The content of a file; null if it was large and `takeLarge` got it piece by piece. */
  fetch(id: string, takeLarge: (part: Buffer) => Promise<void>): Promise<Buffer | null> {
    return this.#started().fetch(id, 'blob', takeLarge)
  }

  async readTree(id: string): Promise<Tree> {
    return parseTree(await this.read(id, 'tree'), this.#idBytes)
  }

  async writeTree(tree: Tree): Promise<string> {
    return this.writeLater('tree', formatTree(tree))
  }

  /** The id is known before the object is written, so that many can be written at once, by `settle`. */
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
