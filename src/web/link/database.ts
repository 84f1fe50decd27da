type StoreName = 'device' | 'outbox'

export const fromRequest = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')))
  })

/** `device`: this browser's key. `outbox`: what waits for the connection. */
const openDatabase = (): Promise<IDBDatabase> => {
  const request = indexedDB.open('rein', 1)
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore('device')
    request.result.createObjectStore('outbox', { keyPath: 'id' })
  })
  return fromRequest(request)
}

let database: Promise<IDBDatabase> | undefined

export const openStore = async (name: StoreName, mode: IDBTransactionMode): Promise<IDBObjectStore> => {
  database ??= openDatabase()
  return (await database).transaction(name, mode).objectStore(name)
}
