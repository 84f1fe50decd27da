import { signal } from '@preact/signals'

interface PagePorts {
  /** The document as the daemon has it now. */
  readDocument(): Promise<string>
  /** The files that this page began with: their names have their hash. */
  ownFiles: readonly string[]
}

/** Whether the daemon has another page than this one: both were built together, and go together. */
export class PageWatch {
  readonly isOutdated = signal(false)
  readonly #ports: PagePorts
  #build: string | null = null

  constructor(ports: PagePorts) {
    this.#ports = ports
  }

  /** Looks whenever another build of the daemon answers, and at first: the page may have been kept from an earlier one. */
  async onBuild(build: string): Promise<void> {
    if (build === this.#build) return
    this.#build = build
    try {
      const page = await this.#ports.readDocument()
      this.isOutdated.value = !this.#ports.ownFiles.every((file) => page.includes(`"${file}"`))
    } catch {
      // Looked at again with the next connection.
      this.#build = null
    }
  }
}
