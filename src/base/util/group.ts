/** In the order in which each key comes first. */
export const groupBy = <Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? []
    if (group.push(item) === 1) groups.set(keyOf(item), group)
  }
  return groups
}
