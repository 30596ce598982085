// Sets the clock of a process: CLOCK_SHIFT is by how many seconds. For `node --import`, before anything else is loaded.
const shift = Number(process.env['CLOCK_SHIFT'] ?? 0) * 1_000
const Real = Date

globalThis.Date = new Proxy(Real, {
  construct: (target, values, wanted) =>
    Reflect.construct(target, values.length === 0 ? [Real.now() + shift] : values, wanted),
  get: (target, name, receiver) => (name === 'now' ? () => Real.now() + shift : Reflect.get(target, name, receiver)),
})
