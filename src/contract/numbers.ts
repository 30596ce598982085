// Numbers in sentences of contracts, which are English. Pure.

/** A number with commas, 200,000, as `toLocaleString('en')` writes it. The first use of Intl takes 20 ms, and contracts are read at each start. */
export const withCommas = (count: number): string => {
  const [whole = '', ...fraction] = String(count).split('.')
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.')
}
