// The words of the page that is rendered, for its components. They come from the context of the rendering, so that two readers whose
// pages are rendered at the same time never share them.
import { createContext } from 'svelte'
import type { SiteWords } from './catalogue.ts'

/** `words()` at the beginning of a component; `setWords` is for the layout alone. */
export const [words, setWords] = createContext<SiteWords>()
