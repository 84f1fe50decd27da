import { isObject } from '../base/util/json.ts'

export type Json = Record<string, unknown>

/** The value if it is an object, else an empty one: payloads of other versions may lack any field. */
export const asObject = (value: unknown): Json => (isObject(value) ? value : {})

/** The objects in a list; none if the value is not a list. */
export const listObjects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
