/** A repository's own file is not trusted: it may set only what is of scope `project`. */
type Scope = 'user' | 'project'

export interface Kind<Type extends string, Value> {
  type: Type
  default: Value
  scope: Scope
  doc: string
}
/** What a plain number of a setting counts; people may also write `10m` or `4GiB`. */
export type Unit = 'ms' | 's' | 'min' | 'd' | 'bytes'

export interface NumberKind extends Kind<'integer' | 'number', number> {
  min: number
  max: number
  unit?: Unit
}
export interface EnumKind<Value extends string> extends Kind<'enum', Value> {
  values: readonly Value[]
}
/** A word that other programs take as a name. */
export type NameKind = Kind<'name', string>
/** Host names with or without a port; `null` means none. */
export type HostsKind = Kind<'hosts', string | null>
/** `null` means none. */
export type TextKind = Kind<'string', string> | Kind<'string', string | null>

export const integer = (value: number, [min, max]: [number, number], scope: Scope, doc: string): NumberKind => ({
  type: 'integer',
  default: value,
  min,
  max,
  scope,
  doc,
})

const decimal = (value: number, [min, max]: [number, number], scope: Scope, doc: string): NumberKind => ({
  type: 'number',
  default: value,
  min,
  max,
  scope,
  doc,
})

const counting =
  (unit: Unit, kind: typeof integer) =>
  (...given: Parameters<typeof integer>): NumberKind => ({ ...kind(...given), unit })

export const milliseconds = counting('ms', integer)
export const seconds = counting('s', integer)
export const minutes = counting('min', decimal)
export const days = counting('d', integer)
export const bytes = counting('bytes', integer)

export const fraction = (value: number, scope: Scope, doc: string): NumberKind => decimal(value, [0, 1], scope, doc)

export const oneOf = <const Value extends string>(
  values: readonly Value[],
  value: NoInfer<Value>,
  scope: Scope,
  doc: string,
): EnumKind<Value> => ({ type: 'enum', values, default: value, scope, doc })

export const text = (value: string, scope: Scope, doc: string): Kind<'string', string> => ({
  type: 'string',
  default: value,
  scope,
  doc,
})

export const name = (value: string, scope: Scope, doc: string): NameKind => ({
  type: 'name',
  default: value,
  scope,
  doc,
})

export const optionalText = (scope: Scope, doc: string): Kind<'string', string | null> => ({
  type: 'string',
  default: null,
  scope,
  doc,
})

export const hosts = (scope: Scope, doc: string): HostsKind => ({ type: 'hosts', default: null, scope, doc })

export const yesOrNo = (value: boolean, scope: Scope, doc: string): Kind<'boolean', boolean> => ({
  type: 'boolean',
  default: value,
  scope,
  doc,
})
