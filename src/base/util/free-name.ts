/** `name-2`, or with the first number after that which is free; cut so that it is not longer than allowed. */
export const freeName = (
  name: string,
  isTaken: (name: string) => boolean,
  longest = Number.POSITIVE_INFINITY,
): string => {
  for (let number = 2; ; number += 1) {
    const end = `-${number}`
    const free = name.slice(0, longest - end.length) + end
    if (!isTaken(free)) return free
  }
}
