// One rule for each server; a server without a rule keeps its identifiers as they are.
const rules = { 'preprints.example': /v\d+$/, 'bio.preprints.example': /\.r\d+$/ }

export default function stripVersion({ rows, hostname }) {
  const rule = rules[hostname]
  return rows.map((row) => ({ ...row, identifier: rule ? row.identifier.replace(rule, '') : row.identifier }))
}
