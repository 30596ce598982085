// How components are printed: by the settings that biome.json has for everything else. Biome itself does not read all of Svelte yet.
import biome from '../biome.json' with { type: 'json' }

const { lineWidth, indentWidth } = biome.formatter
const { quoteStyle, semicolons } = biome.javascript.formatter

/** @type {import('prettier').Config} */
export default {
  plugins: ['prettier-plugin-svelte'],
  printWidth: lineWidth,
  tabWidth: indentWidth,
  singleQuote: quoteStyle === 'single',
  semi: semicolons === 'always',
}
