// What a field with a few values can hold: a map from value to label stands beside the contract (choices.ts). Without zod, so
// that pages read the same map.

/** The values of such a map, in its order. */
export const namesOf = <Labels extends Readonly<Record<string, string>>>(labels: Labels) =>
  Object.keys(labels) as (keyof Labels & string)[]
