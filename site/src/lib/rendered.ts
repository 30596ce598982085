// Lists that a page shows and its browser never needs as data.

/** A list that is left out where SvelteKit writes down a page's data: it does so for every page, also for one without script. */
export class Rendered<Item> extends Array<Item> {}

/** `items` for pages that are HTML alone (`csr = false`). */
export const rendered = <Item>(items: readonly Item[]): Item[] => Rendered.from(items) as Item[]
