// The text keeps the name of its sheet: the shelf mark is what connects the two.
export default function keepName({ input, result }) {
  return { path: input.file.replace(/\.tiff?$/i, '.txt'), text: result.text }
}
