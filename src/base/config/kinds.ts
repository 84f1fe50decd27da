/** A repository's own file is not trusted: it may set only what is of scope `project`. */
type Scope = 'user' | 'project'

export interface Kind<Type extends string, Value> {
  type: Type
  default: Value
  scope: Scope
  doc: string
}
export interface NumberKind extends Kind<'integer' | 'number', number> {
  min: number
  max: number
}
export interface EnumKind<Value extends string> extends Kind<'enum', Value> {
  values: readonly Value[]
}
/** A word that other programs take as a name. */
export type NameKind = Kind<'name', string>
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

export const decimal = (value: number, [min, max]: [number, number], scope: Scope, doc: string): NumberKind => ({
  type: 'number',
  default: value,
  min,
  max,
  scope,
  doc,
})

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

export const yesOrNo = (value: boolean, scope: Scope, doc: string): Kind<'boolean', boolean> => ({
  type: 'boolean',
  default: value,
  scope,
  doc,
})
