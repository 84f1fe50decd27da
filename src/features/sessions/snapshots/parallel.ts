/** Runs `work` for all items, `limit` at a time. After a failure no item starts; the first failure is thrown when the running ones end. */
export const inParallel = async <T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const rest = items[Symbol.iterator]()
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true && failures.length === 0; next = rest.next())
      await work(next.value).catch((cause: unknown) => failures.push(cause))
  }
  await Promise.all(Array.from({ length: limit }, worker))
  if (failures.length > 0) throw failures[0]
}
