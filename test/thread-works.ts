// What threads are given to do in tests (src/workers).

export const double = ({ of }: { of: number }) => ({ is: of * 2 })

export function fail(message: string): never {
  throw new Error(message)
}

export const environment = (_: null) => Object.keys(process.env)

export function spin(_: null): never {
  for (;;);
}

export function hoard(_: null): number {
  const kept: number[][] = []
  for (;;) if (kept.push(new Array(100_000).fill(kept.length)) > 1e9) return kept.length
}
