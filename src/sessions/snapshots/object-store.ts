import { ObjectReader } from './object-reader.ts'
import { ObjectWriter } from './objects.ts'
import { idBytes } from './repository.ts'
import { type ShadowDir, shadowPlace } from './shadow-dir.ts'
import { formatTree, parseTree, type Tree, type TreeStore } from './tree.ts'

/** All objects of a shadow; the process that reads them is started at the first reading. */
export class ObjectStore implements TreeStore {
  readonly writer: ObjectWriter
  readonly #idBytes: number
  readonly #shadow: ShadowDir
  #reader: ObjectReader | null = null

  constructor(shadow: ShadowDir) {
    this.writer = new ObjectWriter(shadow)
    this.#idBytes = idBytes(shadow.format)
    this.#shadow = shadow
  }

  get reader(): ObjectReader {
    this.#reader ??= new ObjectReader(shadowPlace(this.#shadow))
    return this.#reader
  }

  async readTree(id: string): Promise<Tree> {
    return parseTree(await this.reader.read(id, 'tree'), this.#idBytes)
  }

  writeTree(tree: Tree): Promise<string> {
    return this.writer.write('tree', formatTree(tree))
  }

  async close(): Promise<void> {
    await this.#reader?.close()
  }
}
