// What the validators use and Node 18 does not have. Loaded before them.

/** Adds a method where it is missing, hidden from loops as the built-in ones are. */
function add(holder: object, name: PropertyKey, value: unknown): void {
  if (!(name in holder)) Object.defineProperty(holder, name, { value, configurable: true, writable: true })
}

const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

add(Symbol, 'dispose', Symbol.for('Symbol.dispose'))
add(Symbol, 'asyncDispose', Symbol.for('Symbol.asyncDispose'))
add(String.prototype, 'isWellFormed', function (this: string) {
  return !HALF.test(this)
})
add(String.prototype, 'toWellFormed', function (this: string) {
  return this.replace(new RegExp(HALF, 'g'), '\ufffd')
})
add(Array.prototype, 'with', function (this: unknown[], index: number, value: unknown) {
  const copy = [...this]
  copy[index < 0 ? copy.length + index : index] = value
  return copy
})
add(Array.prototype, 'toSorted', function (this: unknown[], compare?: (one: unknown, other: unknown) => number) {
  return [...this].sort(compare)
})
