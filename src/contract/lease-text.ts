import { personName } from './person.ts'

/** The holder to ask: an agent by its handle, else a person. */
export const holderName = (handle: string | null | undefined): string => handle ?? personName
