// Objects of which every key is declared: the language's own functions give their keys as plain texts.

/** The keys of an object that has no others than its type says, in their order. */
export const keysOf = <Known extends object>(known: Known) => Object.keys(known) as (keyof Known & string)[]

/** An object with these keys. */
export const recordOf = <Key extends string, Value>(keys: readonly Key[], of: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, Value>
