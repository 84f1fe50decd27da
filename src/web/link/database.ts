type StoreName = 'device' | 'outbox'

const fromRequest = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')))
  })

/** What is asked to be written may still be thrown away, as where the disk is full. */
const untilWritten = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB wrote nothing')))
  })

/** `device`: this browser's key. `outbox`: what waits for the connection. */
const createStores = (database: IDBDatabase): void => {
  database.createObjectStore('device')
  database.createObjectStore('outbox', { keyPath: 'id' })
}

/** The database of the page. A connection that failed or was closed is opened again with the next use. */
export class PageDatabase {
  readonly #factory: () => Pick<IDBFactory, 'open'>
  #opened: Promise<IDBDatabase> | null = null

  constructor(factory: () => Pick<IDBFactory, 'open'>) {
    this.#factory = factory
  }

  async read<T>(name: StoreName, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    return fromRequest(ask((await this.#begin(name, 'readonly')).objectStore(name)))
  }

  async write(name: StoreName, change: (store: IDBObjectStore) => IDBRequest): Promise<void> {
    const transaction = await this.#begin(name, 'readwrite')
    const written = untilWritten(transaction)
    change(transaction.objectStore(name))
    await written
  }

  async #begin(name: StoreName, mode: IDBTransactionMode): Promise<IDBTransaction> {
    const opened = (this.#opened ??= this.#open())
    try {
      return (await opened).transaction(name, mode)
    } catch (cause) {
      this.#forget(opened)
      throw cause
    }
  }

  async #open(): Promise<IDBDatabase> {
    const request = this.#factory().open('rein', 1)
    request.addEventListener('upgradeneeded', () => createStores(request.result))
    const database = await fromRequest(request)
    const opened = this.#opened
    // The browser closes it where the site data is cleared; another page wants it closed to change it.
    database.addEventListener('close', () => this.#forget(opened))
    database.addEventListener('versionchange', () => {
      database.close()
      this.#forget(opened)
    })
    return database
  }

  #forget(opened: Promise<IDBDatabase> | null): void {
    if (this.#opened === opened) this.#opened = null
  }
}

export const database = new PageDatabase(() => indexedDB)
