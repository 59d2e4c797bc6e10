// What was sent is no draft any more. Runs before its page is shown: whoever goes on at once finds none either.
"use strict";

{
  const key = sessionStorage.getItem("sending");
  if (key && new URL(location.href).searchParams.get("done") === "sent") {
    const kept = JSON.parse(localStorage.getItem("drafts") ?? "{}");
    delete kept[key];
    localStorage.setItem("drafts", JSON.stringify(kept));
    sessionStorage.removeItem("sending");
  }
}
