/** How rooms and the bus name the person: agents write `@user`. */
export const userMember = 'user'

/** The person who runs Rein, in everything that agents read. */
export const personName = 'the user'

/** A name in what a command prints: a person is `you` to themselves, and `the user` to agents. */
export const nameFor = ({ isAgent }: { isAgent: boolean }, name: string): string => {
  if (name !== personName && name !== userMember) return name
  return isAgent ? personName : 'you'
}
