/** `name-2`, or with the first number after that which is free. */
export const freeName = (name: string, isTaken: (name: string) => boolean): string => {
  for (let number = 2; ; number += 1) if (!isTaken(`${name}-${number}`)) return `${name}-${number}`
}
