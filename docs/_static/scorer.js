// How the search ranks what it finds; Sphinx puts it before its own scripts (`html_search_scorer`).
// The numbers are Sphinx's own. `score` puts the entry of a public name, written as it is, before all else, and a class
// or function before members that are called alike.
// `var`, since the script behind it says so, too.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: ([, , anchor, , score]) => {
    const asked = new URLSearchParams(window.location.search).get("q") ?? "";
    const query = asked.trim().replace(/^(interlingua|il)\./, "").replace(/\(\)$/, "");
    const name = (anchor ?? "").replace(/^#interlingua\./, "");
    if (name === anchor || query === "") return score;
    if (name === query) return score + 1000;
    const isMember = /(^|\.)[A-Z]\w*[a-z]\w*\.\w+$/.test(name);
    const last = name.slice(name.lastIndexOf(".") + 1);
    if (!isMember && last === query) return score + 500;
    return !isMember && last.toLowerCase() === query.toLowerCase() ? score + 250 : score;
  },
};
